import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { pageHeaders } from './pageHeaders.ts'

const connectOf = (env: Record<string, string>) =>
  /connect-src ([^;]*)/.exec(pageHeaders(readConfig(env))['content-security-policy'] ?? '')?.[1]

test('default: a page reaches its own server, sockets too', () => {
  expect(connectOf({ PUBLIC_URL: 'https://app.example' })).toBe("'self' wss://app.example")
})

test('param: WEB_RELAY_URL: and the relay it is sent to', () => {
  const env = { PUBLIC_URL: 'https://app.example', WEB_RELAY_URL: 'wss://relay.example:444/a?b=c' }
  expect(connectOf(env)).toBe("'self' wss://app.example wss://relay.example:444")
})
