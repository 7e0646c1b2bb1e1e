/** Image id of a network (CAIP-2 with a dash) → its name in @web3icons/core. */
export const networkIcons: Readonly<Record<string, string>> = {
  'eip155-1': 'ethereum',
  'eip155-10': 'optimism',
  'eip155-56': 'binance-smart-chain',
  'eip155-100': 'gnosis',
  'eip155-137': 'polygon',
  'eip155-250': 'fantom',
  'eip155-324': 'zksync',
  'eip155-1284': 'moonbeam',
  'eip155-5000': 'mantle',
  'eip155-8217': 'kaia',
  'eip155-8453': 'base',
  'eip155-42161': 'arbitrum-one',
  'eip155-42220': 'celo',
  'eip155-43114': 'avalanche',
  'eip155-59144': 'linea',
  'eip155-80094': 'berachain',
  'eip155-81457': 'blast',
  'eip155-84532': 'base',
  'eip155-421614': 'arbitrum-one',
  'eip155-534352': 'scroll',
  'eip155-7777777': 'zora',
  'eip155-11155111': 'ethereum',
  'eip155-11155420': 'optimism',
  'eip155-1313161554': 'aurora',
  'solana-5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'solana',
  'solana-EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'solana',
  'solana-4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z': 'solana',
  'bip122-000000000019d6689c085ae165831e93': 'bitcoin',
  'bip122-000000000933ea01ad0ee984209779ba': 'bitcoin',
}

/** Symbols of common tokens, as @web3icons/core files them. */
export const tokenIcons = (
  'ETH BTC SOL BNB POL MATIC AVAX FTM CELO GLMR MNT KLAY USDC USDT DAI USDE FRAX LUSD TUSD PYUSD ' +
  'EURC WBTC TBTC RETH CBETH LINK UNI AAVE MKR CRV LDO COMP SNX SUSHI YFI 1INCH GRT ENS ARB OP ' +
  'PEPE SHIB DOGE APE GNO CAKE JUP PYTH RAY LTC DOT XRP'
).split(' ')

/** Slugs of the best-known wallets, with those that most visitors search for first. */
export const popular = (
  'metamask coinbase trust phantom rainbow okx binance ledger base safe rabby zerion uniswap solflare backpack bitget ' +
  'exodus brave 1inch imtoken tokenpocket argent ready ronin kraken cryptocom defi trezor onekey safepal bybit coin98 ' +
  'zeal keplr talisman sub nova frame enkrypt core gemini myether mathwallet math ' +
  'xverse unisat leather tangem robinhood tronlink polkadotjs'
).split(' ')

/**
 * Slugs of wallets that have shut down, or of which nothing shows that they have not. The sources
 * still name them.
 */
export const ended: readonly string[] = (
  'ctrl taho apex atoken avana bitski block clave compass daimo dawn desig elytro family fractal ' +
  'frontier infinity leap liquality loopring magiceden mykey nest omni pillar porto ramper solong ' +
  'torus unipass'
).split(' ')

/**
 * Ids under which existing clients know these wallets, by slug; the others get the SHA-256 of their
 * slug.
 */
export const knownIds: Readonly<Record<string, string>> = {
  metamask: 'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96',
  trust: '4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0',
  coinbase: 'd0ca99ff52b99abc48743dad0f7fc891e041be73574f7fac4afe5d4bb83845c8',
  base: 'fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa',
  phantom: 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393',
  solflare: '1ca0bdd4747578705b1939af023d120677c64fe6ca76add81fda36e350605e79',
  safe: '225affb176778569276e484e1b92637ad061b01e13a048b35a9d280c3b58970f',
  ledger: '19177a98252e07ddfc9af2083ba8e07ef627cb6103467ffebb3f8f4205fd7927',
  okx: '971e689d0a5be527bac79629b4ee9b925e82208e5168b733496a09c0faed0709',
  binance: '2fafea35bb471d22889ccb49c08d99dd0a18a37982602c33f696a5723934ba25',
}

/**
 * Wallets whose logo only @web3icons/core has, with the chains and homepages from the makers' own
 * sites. Another source names each of them.
 */
export const iconWallets: readonly {
  icon: string
  name: string
  homepage: string
  chain: string
}[] = [
  { icon: 'bitbox', name: 'BitBox', homepage: 'https://bitbox.swiss', chain: 'eip155:1' },
  {
    icon: 'cypherock',
    name: 'Cypherock',
    homepage: 'https://www.cypherock.com',
    chain: 'eip155:1',
  },
  {
    icon: 'glow',
    name: 'Glow',
    homepage: 'https://glow.app',
    chain: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  },
  { icon: 'zengo', name: 'Zengo', homepage: 'https://zengo.com', chain: 'eip155:1' },
]

/**
 * Facts from the makers' own sites, by slug, for wallets whose sources lack them or link to a help
 * page.
 */
export const corrections: Readonly<
  Record<string, { readonly homepage?: string; readonly webapp?: string; readonly mobile?: string }>
> = {
  // No relay reaches these two; their links open a page in their own browsers (docs.phantom.com,
  // docs.solflare.com).
  phantom: { mobile: 'https://phantom.app/ul/' },
  solflare: { mobile: 'https://solflare.com/ul/' },
  safe: { homepage: 'https://safe.global', webapp: 'https://app.safe.global/' },
  ledger: { homepage: 'https://www.ledger.com' },
  exodus: { homepage: 'https://www.exodus.com' },
  brave: { homepage: 'https://brave.com/wallet/' },
  imtoken: { homepage: 'https://token.im' },
  tokenpocket: { homepage: 'https://www.tokenpocket.pro' },
  core: { homepage: 'https://core.app' },
  nova: { homepage: 'https://novawallet.io' },
  myether: { homepage: 'https://www.mewwallet.com' },
  best: { homepage: 'https://bestwallet.com' },
  bifrost: { homepage: 'https://bifrostwallet.com' },
  xportal: { homepage: 'https://xportal.com' },
  sequence: { homepage: 'https://sequence.xyz' },
  status: { homepage: 'https://status.app' },
}

/**
 * Links that open a page in a wallet's own browser, from the documentation of the wallets. The
 * schema's `dapp_link` describes the placeholder for the page.
 */
export const dappLinks: Readonly<Record<string, string>> = {
  metamask: 'https://link.metamask.io/dapp/{page}',
  trust: 'https://link.trustwallet.com/open_url?coin_id=60&url={url}',
  coinbase: 'https://go.cb-w.com/dapp?cb_url={url}',
  okx: 'https://web3.okx.com/download?deeplink=okx%3A%2F%2Fwallet%2Fdapp%2Furl%3FdappUrl%3D{url2}',
  imtoken: 'imtokenv2://navigate/DappView?url={url}',
  bitget: 'https://bkcode.vip?action=dapp&url={url}',
}
