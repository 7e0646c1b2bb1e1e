import { expect, test } from 'vitest'
import * as walletconnect from './index.ts'

test('default', () => {
  expect(Object.keys(walletconnect).sort()).toMatchInlineSnapshot(`
    [
      "approveNamespaces",
      "approvedChainOf",
      "approvedChains",
      "approvedOn",
      "chainOfAccount",
      "checkConforming",
      "checkProposal",
      "checkSession",
      "clientIdOf",
      "codes",
      "createDapp",
      "createWallet",
      "deriveKey",
      "formatPairingUri",
      "formatRpc",
      "generateIdentity",
      "generateKey",
      "generateKeyPair",
      "isMethodName",
      "maxEnvelopeLength",
      "messageIdOf",
      "methods",
      "newRpcId",
      "openEnvelope",
      "parsePairingUri",
      "parseRpc",
      "protocolError",
      "requestExpiry",
      "sealEnvelope",
      "senderOf",
      "signRelayToken",
      "solanaIds",
      "timeOfRpcId",
      "topicOf",
      "verifyRelayToken",
    ]
  `)
})
