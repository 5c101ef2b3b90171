import { start } from '../../lib/start.ts';
import Records from './Records.svelte';

void start(Records, 'system', ['cases', 'records', 'deeds']);
