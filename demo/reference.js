// The page of the API's reference: the header; the rest is made by make_reference.js.
import { openPage, ready } from './frame.js';

await openPage('./reference.html');
ready();
