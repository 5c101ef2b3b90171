import { start } from '../../lib/start.ts';
import Pit from './Pit.svelte';

void start(Pit, 'system', ['staff', 'cases', 'records']);
