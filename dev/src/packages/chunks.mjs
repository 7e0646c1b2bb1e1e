// JavaScript, because Node loads it for a vite.config.ts; the types are in chunks.d.mts.

/** @param {string[]} paths */
const source = (...paths) => new RegExp(`[\\\\/]packages[\\\\/](${paths.join('|')})\\.tsx?$`)

/**
 * An earlier chunk also takes the modules that it shares with later ones. Each file that a view
 * needs is listed at the place that loads the view, so code shared by several views is in a few
 * files.
 */
export const chunkGroups = [
  { name: 'start', tags: ['$initial'], priority: 7 },
  {
    name: 'errors',
    test: source(
      'wire/src/(errors/errors|caip/parseCaip)',
      'core/src/(attempt|directory/getPlatform)',
    ),
    priority: 6,
  },
  {
    name: 'opening',
    test: source(
      'react/src/modal/(Modal|Messages)',
      'react/src/views/connect/Connect',
      'react/src/app/useRemoteHint',
    ),
    priority: 5,
  },
  {
    name: 'queries',
    test: /packages[\\/](react[\\/]src[\\/]app[\\/]queries[\\/]queries|core[\\/]src[\\/]server[\\/]callRoute|wire[\\/]src[\\/]api[\\/]siwx[\\/]siwx)\.ts$|node_modules[\\/](zod|@tanstack[\\/]query-core)[\\/](?!.*infiniteQueryObserver)/,
    priority: 4,
  },
  // The button of a connected account.
  {
    name: 'account',
    test: source('react/src/AccountLabel', 'core/src/embedded/login/isEmail'),
    priority: 4,
  },
  // An app that has accounts sign in follows their sign-ins from the start.
  { name: 'signIn', test: source('core/src/siwx/startSiwx'), priority: 4 },
  // Connecting and reconnecting.
  {
    name: 'connection',
    test: source(
      'core/src/connection/(disconnect|commitConnection|syncTabs|watchAccount)',
      'core/src/network/select\\w+',
      'core/src/embedded/login/getLoginConnector',
    ),
    priority: 4,
  },
  {
    name: 'styles',
    test: /packages[\\/]react[\\/]src[\\/](views|parts)[\\/](?!siwx).*\.css$/,
    priority: 4,
  },
  // Code shared by several views.
  {
    name: 'parts',
    test: source(
      'react/src/(app/use\\w+|locales/(?!enSi[gw]).*|parts/(?!Segments)\\w+)',
      'react/src/views/connect/(useWalletPrompt|connectErrorText)',
      'core/src/(connection/getPendingConnection|directory/openLink|network/explorerUrl|send/setSendDraft|swap/setSwapDraft)',
    ),
    minShareCount: 2,
    priority: 3,
  },
  // Code shared by several lazy chunks that mostly load together anyway. The chunks that load a
  // file contain its name. A chunk also takes the imports of its modules, so modules that others
  // need without them come first.
  ...[
    ['encoding', 'wire/src/encoding/(base64|decodeUtf8)'],
    ['standardWallet', 'core/src/namespaces/(walletStandard/standardWallet|preferredChains)'],
    ['wallet', 'core/src/connection/connectors/(withTimeout|coalesce|walletError)'],
    [
      'frame',
      'core/src/(embedded/frame/closeFrame|connection/connectors/embedded/storedLogin)',
      'wire/src/api/auth/socialProvider',
    ],
    ['connect', 'core/src/connection/connect'],
    ['login', 'core/src/embedded/(login/(loginEmail|mailThrottle)|frame/getFrame|updateEmail)'],
    ['loginSocial', 'core/src/embedded/login/(loginSocial|returnSocial)'],
    [
      'socials',
      'react/src/views/login/(SocialMark|useSocials)',
      'core/src/embedded/login/askSocial',
    ],
    ['balances', 'react/src/(hooks/useBalances|views/account/(Tokens|useActivityNews))'],
    ['history', 'wire/src/api/history'],
    ['historyQueries', 'react/src/app/history/historyQueries'],
    ['nftQueries', 'react/src/app/queries/nftQueries'],
    ['nftParts', 'react/src/views/nfts/(nftText|NftUnknown|NftPicture)'],
    ['receiver', 'react/src/views/send/(ReceiverField|sendDraft)'],
    ['orders', 'react/src/views/buy/(followOrder|formatMoney|OpenOrders)'],
    ['codes', 'react/src/views/login/(CodeStep|Resend)'],
    ['send', 'core/src/send/send', 'react/src/views/send/FeeRow'],
    ['getBatch', 'core/src/send/getBatch'],
    ['price', 'wire/src/api/price'],
    [
      'swapping',
      'react/src/(app/queries/swapQueries|views/swap/(SwapDetails|useSwapForm|fillMaxSwap))',
      'core/src/namespaces/swapPlan',
    ],
    [
      'naming',
      'react/src/app/queries/nameQueries',
      'core/src/names/nameRules',
      'wire/src/caip/coinType',
    ],
  ].map(([name, ...paths], index) => ({ name, test: source(...paths), priority: 2 - index / 100 })),
]
