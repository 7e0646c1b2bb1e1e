import { type HDAccount, mnemonicToAccount } from 'viem/accounts'

/** Known to everybody: what these keys hold on a real network is gone at once. */
export const mnemonic = 'test test test test test test test test test test test junk'

/** The throw-away account of this index, able to sign. */
export const getSigner = (addressIndex: number): HDAccount =>
  mnemonicToAccount(mnemonic, { addressIndex })
