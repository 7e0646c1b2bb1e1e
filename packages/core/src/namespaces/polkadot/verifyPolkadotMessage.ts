import { decodeSs58Address, wrapMessage } from '@latchkey/wire/polkadot'
import { checkPolkadotResult } from './signature/checkPolkadotResult.ts'

/**
 * Whether an account has signed a message like Polkadot's wallets sign it: between `<Bytes>` and
 * `</Bytes>`, by sr25519, ed25519 or ecdsa. The signature is hex.
 */
export async function verifyPolkadotMessage(parameters: {
  address: string
  message: string
  signature: string
}): Promise<boolean> {
  const { address, message, signature } = parameters
  const account = decodeSs58Address(address)
  if (!account) return false
  return checkPolkadotResult({ account, message: wrapMessage(message) }, { signature }).then(
    () => true,
    () => false,
  )
}
