import { decodeUtf8, orderMessageParams } from '@latchkey/wire'
import { type Hex, hexToBytes, isHex, recoverMessageAddress, stringToHex } from 'viem'
import {
  assertOwn,
  assertSigner,
  invalidDeviceResponse,
  joinSignature,
  type Signing,
  type SigningParameters,
  signOnDevice,
} from './signOnDevice.ts'

/** Parses a request to sign a message or bytes (EIP-191). */
export function prepareLedgerMessage(question: SigningParameters): Signing {
  const { chainId, account, useDevice } = question
  const [message, address] = orderMessageParams(question.params, account.address)
  assertOwn(account, address)
  if (typeof message !== 'string') throw invalidDeviceResponse('the message is missing')
  const raw: Hex = isHex(message) && message.length % 2 === 0 ? message : stringToHex(message)
  if (raw === '0x') throw invalidDeviceResponse('the message is empty')
  const text = decodeUtf8(hexToBytes(raw))
  return {
    review: {
      ...{ kind: 'message', chainId, address: account.address },
      ...{ text: text ?? raw, isText: text !== undefined },
    },
    async finish() {
      const signed = await signOnDevice(useDevice, account, (eth) =>
        eth.signPersonalMessage(account.path, raw.slice(2)),
      )
      const signature = joinSignature(signed)
      await assertSigner(account, () => recoverMessageAddress({ message: { raw }, signature }))
      return signature
    },
  }
}
