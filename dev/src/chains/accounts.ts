import { type Address, type Hex, toHex } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'

/**
 * The well-known development mnemonic of anvil. Its keys are public: never send anything of value
 * there.
 */
export const mnemonic = 'test test test test test test test test test test test junk'

/** An account of the development chains, with its (public) private key. */
export type DevAccount = { address: Address; privateKey: Hex }

const accountCount = 10

/** Number of accounts, from the first, that get tokens. */
export const fundedCount = 5

// Late in the list, so that nothing else changes its nonces.
const deployerIndex = 9

/**
 * The sponsor signs what the paymaster pays for; the bundler sends the bundles of the server's
 * bundler. Nothing else uses these accounts.
 */
const sponsorIndex = 7
const bundlerIndex = 8

let derived: readonly DevAccount[] | undefined

/** Accounts 0 to 9 of {@link mnemonic}, each with 10 000 ether on both chains. */
export function deriveAccounts(): DevAccount[] {
  derived ??= derive()
  return derived.map((account) => ({ ...account }))
}

function derive(): DevAccount[] {
  const parent = mnemonicToAccount(mnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  return Array.from({ length: accountCount }, (_, index) => {
    const key = parent.deriveChild(index).privateKey
    if (!key) throw new Error(`Account ${index} has no key`)
    const privateKey = toHex(key)
    return { address: privateKeyToAccount(privateKey).address, privateKey }
  })
}

/** The account that deploys the contracts. */
export const getDeployer = (accounts: DevAccount[]): Address =>
  accountAt(accounts, deployerIndex).address

/** The account whose signature the development paymaster accepts. */
export const getSponsor = (accounts: DevAccount[]): DevAccount => accountAt(accounts, sponsorIndex)

/** The account of the server's own bundler. */
export const getBundler = (accounts: DevAccount[]): DevAccount => accountAt(accounts, bundlerIndex)

function accountAt(accounts: DevAccount[], index: number): DevAccount {
  const account = accounts[index]
  if (!account) throw new Error(`There is no account ${index}`)
  return account
}
