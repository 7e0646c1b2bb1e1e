import { generateIdentity, signRelayToken } from '@latchkey/walletconnect'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { addressOf } from './attacker.ts'
import { startRelay } from './startRelay.ts'

test('error: tokens that are not for now, not for here, or not signed', async () => {
  const relay = await startRelay()
  const identity = await generateIdentity()
  const other = await generateIdentity()
  const iat = Math.floor(Date.now() / 1000)
  const claims = { sub: '00'.repeat(32), aud: relay.url, iat }
  const sign = (change: object, by = identity) => signRelayToken(by, { ...claims, ...change })
  const good = await sign({})
  const [head, body, signature] = good.split('.')
  const [, , forged] = (await sign({}, other)).split('.')
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const refused = (reason: string) => [`3000 JWT validation error: JWT Token ${reason}`, 401]
  const malformed = refused('is malformed')
  const tokens = {
    good: [good, ['open', 'open']],
    foreign: [await sign({ aud: 'wss://relay.example' }), refused('audience is not this relay')],
    expired: [await sign({ iat: iat - 180, exp: iat - 150 }), refused('is expired')],
    future: [await sign({ iat: iat + 180 }), refused('is not yet valid')],
    forged: [`${head}.${body}.${forged}`, refused('signature is not valid')],
    truncated: [good.slice(0, -1), refused('signature is not valid')],
    unsigned: [`${none}.${body}.`, malformed],
    'without a part': [`${head}.${signature}`, malformed],
    endless: [`${head}.${body}.${signature}${'A'.repeat(8_000)}`, malformed],
    empty: ['', refused('is missing')],
  } as const
  for (const [name, [token, met]] of Object.entries(tokens))
    expect([name, await knock(relay.url, token)]).toEqual([name, met])
})

/**
 * The relay's reaction to a token: open, or the close code with its reason without the times; and
 * the status without `useOnCloseEvent`.
 */
async function knock(relayUrl: string, token: string) {
  const closing = new WebSocket(addressOf(relayUrl, token))
  const met = await new Promise<string>((resolve) => {
    closing.on('close', (code, reason) =>
      resolve(`${code} ${String(reason).replace(/: basic.*/, '')}`),
    )
    closing.on('error', (error) => resolve(error.message))
    closing.on('message', () => resolve('open'))
    closing.on('open', () =>
      closing.send(
        JSON.stringify({
          id: 1e15,
          jsonrpc: '2.0',
          method: 'irn_subscribe',
          params: { topic: 'ab'.repeat(32) },
        }),
      ),
    )
  })
  closing.terminate()
  const plain = new WebSocket(addressOf(relayUrl, token, ''))
  const status = await new Promise<string | number>((resolve) => {
    plain.on('open', () => resolve('open'))
    plain.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    plain.on('error', (error) => resolve(error.message))
  })
  plain.terminate()
  return [met, status]
}
