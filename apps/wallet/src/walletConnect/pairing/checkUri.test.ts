import { formatPairingUri } from '@latchkey/walletconnect'
import { expect, test } from 'vitest'
import { checkUri } from './checkUri.ts'

const topic = 'ab'.repeat(32)
const pairing = { topic, symKey: 'cd'.repeat(32), relayProtocol: 'irn', methods: [] }

test('default: a link without a relay, and with a relay on this machine', () => {
  for (const relayUrl of [undefined, 'ws://127.0.0.1:3000', 'ws://localhost:4000/']) {
    const uri = formatPairingUri({ ...pairing, ...(relayUrl && { relayUrl }) })
    expect(checkUri(`  ${uri}\n`)).toEqual({ uri, topic })
  }
})

test('error: a relay elsewhere is refused by name', () => {
  for (const relayUrl of [
    'wss://relay.example/x',
    'ws://127.0.0.1.evil.example',
    'wss://127.0.0.1',
  ])
    expect(checkUri(formatPairingUri({ ...pairing, relayUrl }))).toEqual({
      problem: `This link uses the relay ${new URL(relayUrl).host}. The development wallet uses only relays on this machine.`,
    })
})

test('error: an empty string, no link, an old version', () => {
  expect(checkUri(' ')).toEqual({ problem: 'Paste the link that begins with wc: first.' })
  expect(checkUri('https://app.example')).toEqual({
    problem:
      'This is not a WalletConnect link: it does not begin with wc:. Copy the whole link from the app again.',
  })
  expect(checkUri('wc:1@1?bridge=x')).toMatchObject({ problem: expect.stringContaining('not a') })
})
