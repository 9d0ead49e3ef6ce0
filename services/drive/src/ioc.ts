export { iocContainer } from '@satellite/kit/service';
