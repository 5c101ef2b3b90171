import { start } from '../../lib/start.ts';
import SignIn from './SignIn.svelte';

void start(SignIn, 'system', ['staff', 'records']);
