import { getAddress, recoverMessageAddress, recoverTypedDataAddress } from 'viem/utils'

export type Verdict = {
  /** Who made the signature; absent where no key stands behind it, as with a contract's account. */
  signer: string | undefined
  isValid: boolean
}

const isHex = (value: string): value is `0x${string}` => /^0x[0-9a-f]*$/i.test(value)

const judge = async (address: string, recover: () => Promise<string>): Promise<Verdict> => {
  const signer = await recover().catch(() => undefined)
  return { signer, isValid: signer !== undefined && signer === getAddress(address) }
}

/** Checks a `personal_sign` signature (EIP-191) without asking anybody. */
export const verifyMessage = (parameters: {
  address: string
  message: string
  signature: string
}): Promise<Verdict> =>
  judge(parameters.address, async () => {
    const { message, signature } = parameters
    if (!isHex(signature)) throw new Error('No hexadecimal signature')
    return recoverMessageAddress({ message, signature })
  })

/** Checks a signature of typed data (EIP-712) without asking anybody. */
export const verifyTypedData = (parameters: {
  address: string
  typedData: Record<string, unknown>
  signature: string
}): Promise<Verdict> =>
  judge(parameters.address, async () => {
    const { typedData, signature } = parameters
    if (!isHex(signature)) throw new Error('No hexadecimal signature')
    type Typed = Parameters<typeof recoverTypedDataAddress>[0]
    return recoverTypedDataAddress({ ...typedData, signature } as Typed)
  })
