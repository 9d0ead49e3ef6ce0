import { host } from '@satellite/web-kit/vite';

export default host();
