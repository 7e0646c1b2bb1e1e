import { object } from '../shape.ts'
import type { Method } from './method.ts'
import { done, sessionNamespaces } from './shapes.ts'

/** The wallet replaces all namespaces of a session. */
export const sessionUpdate = {
  name: 'wc_sessionUpdate',
  request: { tag: 1104, ttl: 86_400, prompt: false },
  response: { tag: 1105, ttl: 86_400, prompt: false },
  params: object({ namespaces: sessionNamespaces }),
  result: done,
} as const satisfies Method
