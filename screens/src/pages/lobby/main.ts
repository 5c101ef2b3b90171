import { start } from '../../lib/start.ts';
import Lobby from './Lobby.svelte';

void start(Lobby, 'system', ['staff', 'cases', 'lobby', 'tour']);
