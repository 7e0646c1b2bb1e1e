import { expect, test } from 'vitest'
import * as walletconnect from './index.ts'

test('default', () => {
  expect(Object.keys(walletconnect).sort()).toMatchInlineSnapshot(`
    [
      "clientIdOf",
      "codes",
      "deriveKey",
      "formatPairingUri",
      "formatRpc",
      "generateIdentity",
      "generateKey",
      "generateKeyPair",
      "maxEnvelopeLength",
      "messageIdOf",
      "newRpcId",
      "openEnvelope",
      "parsePairingUri",
      "parseRpc",
      "protocolError",
      "sealEnvelope",
      "senderOf",
      "signRelayToken",
      "timeOfRpcId",
      "topicOf",
      "verifyRelayToken",
    ]
  `)
})
