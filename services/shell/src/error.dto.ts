export type { ErrorView } from '@satellite/kit/http';
