export type { Uuid } from '@satellite/kit/http';
