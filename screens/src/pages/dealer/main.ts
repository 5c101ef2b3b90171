import { start } from '../../lib/start.ts';
import Dealer from './Dealer.svelte';

void start(Dealer, 'dim', ['staff', 'cases']);
