import { remote } from '@satellite/web-kit/vite';

export default remote({ name: 'drive' });
