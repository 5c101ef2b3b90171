/** Begins a page: its language and light first, then what it shows. */
import { mount, type Component } from 'svelte';
import '../styles/tokens.css';
import '../styles/page.css';
import { beginIn, usualRoom, type Room } from './room.svelte.ts';
import { sayWhatIsWrongWithFields } from './validity.ts';
import type { Part } from '../languages/sections.ts';
import { tourStep } from './tour.svelte.ts';
import { read, speak, wanted } from './words.svelte.ts';

/** Show a page; `usual` is the light that its room usually has, `parts` are the words that it reads. */
export async function start(page: Component, usual: Room | 'system', parts: Part[]): Promise<void> {
  read(tourStep() === null ? parts : [...parts, 'tour']);
  beginIn(usualRoom(usual));
  await speak(wanted());
  sayWhatIsWrongWithFields();
  const target = document.getElementById('screen');
  if (target === null) throw new Error('the page has no place for the screen');
  mount(page, { target });
}
