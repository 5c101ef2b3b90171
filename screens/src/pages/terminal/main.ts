import { start } from '../../lib/start.ts';
import Terminal from './Terminal.svelte';

void start(Terminal, 'dim', ['terminal']);
