import { start } from '../../lib/start.ts';
import { withoutStaff } from '../../lib/words.svelte.ts';
import Terminal from './Terminal.svelte';

withoutStaff();
void start(Terminal, 'dim');
