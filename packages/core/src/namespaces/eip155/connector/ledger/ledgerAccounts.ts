import { LatchkeyError } from '@latchkey/wire'
import type { Account, AccountChoice } from '../../../../state.ts'
import { toChecksumAddress } from '../../values.ts'
import type { UseDevice } from './useDevice.ts'

/** An account with the derivation path of its key (BIP-32), for example `44'/60'/0'/0/0`. */
export type LedgerAccount = Account & { path: string }

/**
 * How programs number the accounts of one device: by account, like Ledger's own program, or by
 * address.
 */
const paths = {
  'Ledger Live': (index: number) => `44'/60'/${index}'/0/0`,
  'BIP-44': (index: number) => `44'/60'/0'/0/${index}`,
} as const
const groups = Object.keys(paths) as (keyof typeof paths)[]

/** Reads an address without showing it on the device. Throws WALLET_ANSWER_INVALID. */
export async function readLedgerAddress(
  eth: { getAddress(path: string): Promise<{ address: string }> },
  path: string,
): Promise<string> {
  const { address } = await eth.getAddress(path)
  try {
    return toChecksumAddress(address)
  } catch {
    throw new LatchkeyError('WALLET_ANSWER_INVALID')
  }
}

/** The account that the user chooses; the first account if no choice can be shown. */
export async function chooseLedgerAccount(parameters: {
  useDevice: UseDevice
  onChoice: ((choice: AccountChoice) => void) | undefined
}): Promise<LedgerAccount> {
  const { useDevice, onChoice } = parameters
  const known = new Map<string, string>()
  const read = async (path: string) => {
    const address = known.get(path) ?? (await useDevice((eth) => readLedgerAddress(eth, path)))
    known.set(path, address)
    return address
  }
  const toAccount = async (path: string): Promise<LedgerAccount> => ({
    ...({ namespace: 'eip155', type: 'eoa' } as const),
    ...{ address: await read(path), path },
  })
  // Reads an address first, so that a locked device or another open app is reported before the
  // choice.
  const first = await toAccount(paths['Ledger Live'](0))
  if (!onChoice) return first
  return new Promise((resolve) =>
    onChoice({
      groups,
      async read({ group, index }) {
        return toAccount(getPath(group, index))
      },
      choose: resolve as (account: Account) => void,
    }),
  )
}

function getPath(group: string, index: number) {
  const path = paths[group as keyof typeof paths]
  return path(index)
}
