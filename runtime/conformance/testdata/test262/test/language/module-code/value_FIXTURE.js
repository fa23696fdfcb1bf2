export { value } from './inner_FIXTURE.js';
