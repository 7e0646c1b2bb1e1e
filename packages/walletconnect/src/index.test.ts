import { expect, test } from 'vitest'
import * as walletconnect from './index.ts'

test('default', () => {
  expect(Object.keys(walletconnect).sort()).toMatchInlineSnapshot(`
    [
      "approveNamespaces",
      "approvedChains",
      "approvedOn",
      "checkConforming",
      "checkProposal",
      "checkSession",
      "createDapp",
      "createWallet",
      "deriveKey",
      "findPairingUri",
      "formatPairingUri",
      "formatRpc",
      "generateIdentity",
      "generateKey",
      "generateKeyPair",
      "getAccountChain",
      "getApprovedChain",
      "getClientId",
      "getMessageId",
      "getRpcIdTime",
      "getSender",
      "getTopic",
      "isMethodName",
      "maxEnvelopeLength",
      "newRpcId",
      "openEnvelope",
      "parsePairingUri",
      "parseRpc",
      "protocolCodes",
      "protocolError",
      "requestExpiry",
      "rpcMethods",
      "sealEnvelope",
      "signRelayToken",
    ]
  `)
})
