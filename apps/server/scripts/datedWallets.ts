import type { DatedWallet } from './sourceWallet.ts'

const evm = ['eip155:1']
const walletbeat = (file: string) => `Walletbeat, data/software-wallets/${file}.ts`

/**
 * Wallets that no package of the npm registry names. Their facts are those of files in public repositories that state the date of
 * the file's last check. The files bring no logo that we may use.
 */
export const datedWallets: readonly DatedWallet[] = [
  {
    name: 'Ambire',
    chains: evm,
    homepage: 'https://www.ambire.com',
    chromeStore:
      'https://chromewebstore.google.com/detail/ambire-web3-wallet/ehgjhhccekdedpbkifaojjaefeohnoea',
    source: walletbeat('ambire'),
    checkedAt: '2026-07-22',
  },
  {
    name: 'Anon Wallet',
    chains: evm,
    homepage: 'https://anon.inc',
    chromeStore:
      'https://chromewebstore.google.com/detail/anon-wallet-private-evm-w/gnkbgepgknkbhnnbaihklcfkjhbclajk',
    playStore: 'https://play.google.com/store/apps/details?id=com.ahloop.anon',
    source: walletbeat('anon-wallet'),
    checkedAt: '2026-10-09',
  },
  {
    name: 'Bridge Wallet',
    chains: evm,
    homepage: 'https://www.mtpelerin.com',
    source: walletbeat('mtpelerin'),
    checkedAt: '2026-10-08',
  },
  {
    name: 'Elytro',
    chains: evm,
    homepage: 'https://elytro.com',
    source: walletbeat('elytro'),
    checkedAt: '2026-10-08',
  },
  {
    name: 'Gem Wallet',
    chains: evm,
    homepage: 'https://gemwallet.com',
    source: walletbeat('gem'),
    checkedAt: '2025-10-14',
  },
  {
    name: 'Infinex',
    chains: evm,
    homepage: 'https://infinex.xyz',
    chromeStore:
      'https://chromewebstore.google.com/detail/infinex/ibcnlnjajdjfjdcogphnhombiegpcnbj',
    source: walletbeat('infinex'),
    checkedAt: '2026-10-09',
  },
  {
    name: 'Vultisig',
    chains: evm,
    homepage: 'https://vultisig.com',
    rdns: 'me.vultisig',
    appStore: 'https://apps.apple.com/app/apple-store/id6503023896',
    playStore: 'https://play.google.com/store/apps/details?id=com.vultisig.wallet',
    chromeStore:
      'https://chromewebstore.google.com/detail/vultisig-extension/ggafhcdaplkhmmnlbfjpnnkepdfjaelb',
    source: walletbeat('vultisig'),
    checkedAt: '2026-08-05',
  },
].map((wallet) => ({ ...wallet, icon: drawInitial(wallet.name) }))

/**
 * Wallets, by slug, that passed at least 60 % of the checks in a published report of an independent security test, with the name of
 * the report.
 */
export const certified: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['metamask', 'MetaMask 13.8.0 (browser): 81 %'],
    ['rabby', 'Rabby Wallet 0.93.59 (browser): 69 %'],
    ['rainbow', 'Rainbow 1.5.170 (browser): 69 %'],
    ['zerion', 'Zerion 1.30.0 (browser): 62 %'],
  ].map(([slug = '', report]) => [
    slug,
    `Wallet Security Ranking by Coinspect, report of 2026-01-12, ${report} of the checks passed`,
  ]),
)

/** A letter on a disc, for a wallet without a logo. */
function drawInitial(name: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><circle cx="12" cy="12" r="12" fill="#3f6f5f"/><text x="12" y="12" dy=".36em" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="13" fill="#fff">${name.slice(0, 1)}</text></svg>`
}
