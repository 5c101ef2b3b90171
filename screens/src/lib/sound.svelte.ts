/**
 * Sound at a terminal, where its patron has switched it on: the calls that were recorded, spoken by the browser, and quiet
 * sounds of cards and chips that are made here. Without the switch, and where a browser has no sound, nothing is heard.
 */
import { voice } from './words.svelte.ts';

const KEPT = 'thirdcard-sound';
const LOUDNESS = 0.06; // of what is made here; a voice is heard over it
let on = $state(kept());
let speaker: AudioContext | null = null;

/** Whether sound is on. */
export function sounds(): boolean {
  return on;
}

/** Switch sound on or off, also for the next time in this browser. */
export function soundOn(wanted: boolean): void {
  on = wanted;
  try {
    localStorage.setItem(KEPT, wanted ? 'yes' : 'no');
  } catch {
    // then it is off again the next time
  }
  if (wanted) hearChip();
  else if ('speechSynthesis' in window) speechSynthesis.cancel();
}

/** Repeat a call in the language of the screen, once it was made and recorded. */
export function repeatCall(call: string): void {
  if (!on || !('speechSynthesis' in window)) return;
  const said = new SpeechSynthesisUtterance(call);
  said.lang = voice();
  speechSynthesis.speak(said);
}

/** A chip that is put on others: two short high tones. */
export function hearChip(): void {
  const audio = ready();
  if (audio === null) return;
  for (const [pitch, after] of [
    [2350, 0],
    [3100, 0.035],
  ] as const) {
    const tone = audio.createOscillator();
    tone.type = 'triangle';
    tone.frequency.value = pitch;
    tone.connect(fading(audio, after, 0.05));
    tone.start(audio.currentTime + after);
    tone.stop(audio.currentTime + after + 0.06);
  }
}

/** A card that is laid: a short rustle. */
export function hearCard(): void {
  const audio = ready();
  if (audio === null) return;
  const rustle = audio.createBuffer(1, Math.ceil(audio.sampleRate * 0.09), audio.sampleRate);
  const samples = rustle.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = Math.random() * 2 - 1;
  const source = audio.createBufferSource();
  source.buffer = rustle;
  const dull = audio.createBiquadFilter();
  dull.type = 'bandpass';
  dull.frequency.value = 1800;
  source.connect(dull).connect(fading(audio, 0, 0.09));
  source.start();
}

/** What sounds are played on; a browser lets it play once somebody has touched the page. */
function ready(): AudioContext | null {
  if (!on || !('AudioContext' in window)) return null;
  speaker ??= new AudioContext();
  if (speaker.state === 'suspended') void speaker.resume();
  return speaker;
}

function fading(audio: AudioContext, after: number, seconds: number): GainNode {
  const begins = audio.currentTime + after;
  const loudness = audio.createGain();
  loudness.gain.setValueAtTime(LOUDNESS, begins);
  loudness.gain.exponentialRampToValueAtTime(0.0001, begins + seconds);
  loudness.connect(audio.destination);
  return loudness;
}

function kept(): boolean {
  try {
    return localStorage.getItem(KEPT) === 'yes';
  } catch {
    return false;
  }
}
