export { lineOfText, problemsOf } from '@satellite/kit/core';
