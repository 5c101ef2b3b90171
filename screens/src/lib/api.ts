/** Requests to the server: always to this host, always with the header that says as whom the page acts. */
import type { AcceptedAnswer, Credentials, FloorCommand, Refusal, RefusedMessage, TableCommand } from '../api/types.ts';

/** As which holder of a cookie a page acts; any takes staff before a terminal. */
export type Holder = 'staff' | 'terminal' | 'any';

/** Why something was not done, as the server says it or as it is seen here. */
export type Refused = Omit<RefusedMessage, 'command_id' | 'table'>;

const API = '/api/v1';

/** Whether an answer is a refusal. */
export function isRefused(answer: unknown): answer is Refused {
  return typeof answer === 'object' && answer !== null && 'type' in answer && answer.type === 'refused';
}

/** Ask for something. */
export function get<Answer>(path: string, holder: Holder): Promise<Answer | Refused> {
  return request(path, { method: 'GET' }, holder);
}

/** Send something. */
export function post<Answer>(path: string, body: unknown, holder: Holder): Promise<Answer | Refused> {
  const init: RequestInit = { method: 'POST' };
  if (body !== null) {
    init.body = JSON.stringify(body);
    init.headers = { 'content-type': 'application/json' };
  }
  return request(path, init, holder);
}

/** End something. */
export function remove<Answer>(path: string, holder: Holder): Promise<Answer | Refused> {
  return request(path, { method: 'DELETE' }, holder);
}

/** Have the floor decide a command. */
export function commandFloor(
  command: FloorCommand,
  holder: Holder,
  second: { approver?: Credentials; authoriser?: Credentials } = {},
): Promise<AcceptedAnswer | Refused> {
  return post('/floor/commands', { command_id: newId(), command, ...second }, holder);
}

/** Have a table decide a command without a socket. */
export function commandTable(table: string, command: TableCommand, holder: Holder): Promise<AcceptedAnswer | Refused> {
  return post(`/tables/${encodeURIComponent(table)}/commands`, { command_id: newId(), command }, holder);
}

/** A new id for a command; also where the browser does not trust the connection enough for randomUUID. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A refusal that was not worth sending anything for, or that there is nobody to give. */
export function refusedHere(reason: Refusal, command_id: string | null = null): RefusedMessage {
  return { type: 'refused', reason, clauses: [], message: '', params: [], command_id, table: null };
}

async function request<Answer>(path: string, init: RequestInit, holder: Holder): Promise<Answer | Refused> {
  try {
    const headers = { ...(init.headers as Record<string, string> | undefined), 'x-thirdcard': holder };
    const response = await fetch(API + path, { ...init, headers, credentials: 'same-origin' });
    if (response.status === 204) return undefined as Answer;
    return (await response.json()) as Answer | Refused;
  } catch {
    return refusedHere('not-ready');
  }
}
