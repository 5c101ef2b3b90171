import { start } from '../../lib/start.ts';
import { withoutStaff } from '../../lib/words.svelte.ts';
import Display from './Display.svelte';

withoutStaff();
void start(Display, 'dim');
