import { start } from '../../lib/start.ts';
import Display from './Display.svelte';

void start(Display, 'dim', ['display']);
