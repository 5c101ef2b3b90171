import { start } from '../../lib/start.ts';
import Training from './Training.svelte';

void start(Training, 'system', ['staff', 'cases', 'training']);
