import { failureResponse } from './failure.ts'

/** The answer to a plain GET where WebSockets are opened (RFC 9110 §15.5.22). */
export function upgradeRequired(): Response {
  const description = 'A WebSocket is opened here: ask with Upgrade: websocket'
  const response = failureResponse({ status: 426, field: 'upgrade', description })
  response.headers.set('upgrade', 'websocket')
  return response
}
