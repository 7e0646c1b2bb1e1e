import { type HDAccount, mnemonicToAccount } from 'viem/accounts'

/** These keys are public: anything sent to them on a real network is stolen at once. */
export const mnemonic = 'test test test test test test test test test test test junk'

/** The throw-away account of this index, able to sign. */
export const getSigner = (addressIndex: number): HDAccount =>
  mnemonicToAccount(mnemonic, { addressIndex })
