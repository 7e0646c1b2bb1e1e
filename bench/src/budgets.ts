import { announceWallets, launch } from './browser.ts'
import { buildClient, closure } from './buildClient.ts'
import { buildPage, servePage } from './buildPage.ts'
import { kB, printRows, type Row } from './measure/printRows.ts'
import { frameRows, weighFrame } from './measure/weighFrame.ts'

const beforeOpenLimitBytes = 12_000
const startFilesLimit = 5
const idleLimitBytes = 45_000
const connectLimitBytes = 45_000
const clickFilesLimit = 2
/** Limit for Solana's rules, and for Polkadot's. */
const rulesLimitBytes = 45_000
/** Limit for Bitcoin's rules. */
const bitcoinRulesLimitBytes = 60_000
const chartLimitBytes = 30_000
/**
 * Limit for signing in, if configured, until its view can send the request to the wallet. The rest
 * loads when needed.
 */
const signInLimitBytes = 6_000
/**
 * Limit for all connectors that an app can add, on top of the limit before opening, until the user
 * chooses a connector.
 */
const connectorsLimitBytes = 6_000
const walletConnectLimitBytes = { client: 30_000, withConnector: 38_000 }

const jsBytes = (page: Awaited<ReturnType<typeof buildPage>>, loaded: ReadonlySet<string>) =>
  [...loaded].reduce(
    (sum, path) => sum + (path.endsWith('.js') ? (page.files.get(path)?.gzip.length ?? 0) : 0),
    0,
  )

// The page only configures EVM networks. A namespace's metadata is small and loads with the code
// that needs it.
const isOfOtherNamespace = (id: string) =>
  /\/core\/src\/namespaces\/(solana|bip122|polkadot)\/(?!metadata\.ts)|\/node_modules\/@solana/.test(
    id,
  ) || /\/wire\/src\/(solana|bitcoin|polkadot)(\.ts|\/)/.test(id)

// Views that few visits need. Code shared by the views of one folder is also loaded late.
const lateViews = [
  ...['Allowances', 'TokenDetail', 'Swap', 'SwapSelectToken', 'SwapPreview', 'SwapConfirmed'],
  ...['ActivityDetail', 'ActivityTools'],
  ...['Buy', 'OnRampTokenSelect', 'OnRampFiatSelect', 'OnRampProviders', 'BuyInProgress'],
  ...['Names', 'NameDetail', 'RegisterAccountName', 'RegisterAccountNameSuccess'],
]
const isOfLateArea = (id: string) =>
  /\/react\/src\/views\/(swap|names|buy|token|allowances|activity)\/\w+\.tsx?$/.test(id)

const jsFiles = (loaded: ReadonlySet<string>) => [...loaded].filter((path) => path.endsWith('.js'))

/** Opens the page and waits until it is fully loaded. With `saveData` the page preloads nothing. */
async function openPage(
  browser: Awaited<ReturnType<typeof launch>>,
  { url, saveData }: { url: string; saveData: boolean },
) {
  const context = await browser.newContext()
  await announceWallets(context)
  if (saveData)
    await context.addInitScript(
      `Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`,
    )
  const page = await context.newPage()
  const loaded = new Set<string>()
  page.on('request', (request) => loaded.add(new URL(request.url()).pathname))
  await page.goto(url)
  await page.getByRole('button', { name: /connect/i }).waitFor()
  if (!saveData) await page.locator('dialog').waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  return { page, loaded }
}

/** Opens the modal and waits until it has loaded completely. */
async function openList(page: Awaited<ReturnType<typeof openPage>>['page']) {
  await page.getByRole('button', { name: /connect/i }).click()
  await page.getByRole('dialog').getByText('First Wallet').waitFor()
  await page.waitForLoadState('networkidle')
}

/**
 * Returns the page, and what it loads until an account is connected and, if required, prompted to
 * sign in.
 */
async function loadConnected(browser: Awaited<ReturnType<typeof launch>>, url: string) {
  const { page, loaded } = await openPage(browser, { url, saveData: true })
  await openList(page)
  await page.getByRole('dialog').getByText('First Wallet').click()
  await page.getByRole('button', { name: /^Account 0x70/, includeHidden: true }).waitFor()
  await page.waitForLoadState('networkidle')
  return { page, loaded }
}

/** Opens the connected account and waits until it has loaded completely. */
async function openAccount(page: Awaited<ReturnType<typeof openPage>>['page']) {
  await page.getByRole('button', { name: /^Account 0x70/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).waitFor()
  await page.waitForLoadState('networkidle')
}

const isLoaded = (
  page: Awaited<ReturnType<typeof buildPage>>,
  { loaded, module }: { loaded: ReadonlySet<string>; module: string },
) =>
  page.chunks.some(
    ({ fileName, moduleIds }) =>
      loaded.has(`/${fileName}`) && moduleIds.some((id) => id.endsWith(module)),
  )

/** The bytes that a module's chunk adds to the loaded chunks; NaN if it was already loaded. */
function lateBytes(
  page: Awaited<ReturnType<typeof buildPage>>,
  { loaded, module }: { loaded: ReadonlySet<string>; module: string },
) {
  const chunk = page.chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)))
  const wanted = chunk ? closure(page.chunks, chunk.fileName) : []
  const more = [...wanted].map((fileName) => `/${fileName}`).filter((path) => !loaded.has(path))
  return chunk && !loaded.has(`/${chunk.fileName}`) ? jsBytes(page, new Set(more)) : Number.NaN
}

// Code that finds wallets of other namespaces, needed only if their networks are configured.
const watchers = [
  '/solana/connector/watchSolanaWallets.ts',
  '/polkadot/connector/watchPolkadotWallets.ts',
  '/bip122/connector/watchBitcoinWallets.ts',
]

// Code of an added connector that loads after the user has chosen its wallet.
const addedConnectors = [
  '/ledger/openLedger.ts',
  '/coinbase/openCoinbase.ts',
  '/safe/openSafe.ts',
  '/connector/eip1193.ts',
]

/** The bytes that a namespace's rules and their imports add to the loaded chunks. */
function rulesBytes(
  page: Awaited<ReturnType<typeof buildPage>>,
  loaded: ReadonlySet<string>,
  namespace: 'solana' | 'polkadot' | 'bip122',
) {
  const folder = `/core/src/namespaces/${namespace}/`
  const roots = page.chunks.filter(({ moduleIds }) =>
    moduleIds.some(
      (id) => id.includes(folder) && !/\/(metadata|walletConnectMetadata)\.ts$/.test(id),
    ),
  )
  const wanted = new Set(roots.flatMap(({ fileName }) => [...closure(page.chunks, fileName)]))
  const more = [...wanted].map((fileName) => `/${fileName}`).filter((path) => !loaded.has(path))
  return jsBytes(page, new Set(more))
}

/** Opens both pages in Chromium and measures the size of the loaded JavaScript, gzipped. */
async function weigh() {
  const [ours, baseline] = [await buildPage('index'), await buildPage('baseline')]
  const react = [...baseline.files].reduce(
    (sum, [path, file]) => sum + (path.endsWith('.js') ? file.gzip.length : 0),
    0,
  )
  const server = await servePage(ours, 'index')
  const browser = await launch()
  try {
    const thrifty = await openPage(browser, { url: server.url, saveData: true })
    const atStart = new Set(thrifty.loaded)
    const all = await openPage(browser, { url: `${server.url}?all`, saveData: true })
    const allAtStart = new Set(all.loaded)
    await openList(all.page)
    const own = await openPage(browser, { url: `${server.url}?app`, saveData: true })
    const ownAtStart = new Set(own.loaded)
    await openList(own.page)
    const { page, loaded } = await openPage(browser, { url: server.url, saveData: false })
    const whenIdle = new Set(loaded)
    await openList(page)
    const account = await loadConnected(browser, server.url)
    const { loaded: asked } = await loadConnected(browser, `${server.url}?siwx`)
    const connected = new Set(account.loaded)
    await openAccount(account.page)
    const signIn = new Set([...asked].filter((path) => !connected.has(path)))
    const asks = { loaded: signIn, module: '/views/siwx/SignIn.tsx' }
    // The code of queries loads for any account, before the rules of its namespace.
    const queries = [...connected].filter((path) => path.startsWith('/assets/queries-'))
    const beforeRules = new Set([...loaded, ...queries])
    const isLoadedByAccount = (path: string) => loaded.has(path) || account.loaded.has(path)
    const lazy = ours.chunks.filter((chunk) => !loaded.has(`/${chunk.fileName}`))
    return {
      beforeOpen: jsBytes(ours, atStart) - react,
      startFiles: jsFiles(atStart).length,
      idle: jsBytes(ours, whenIdle) - jsBytes(ours, atStart),
      connect: jsBytes(ours, loaded) - jsBytes(ours, atStart),
      clickFiles: jsFiles(loaded).length - jsFiles(whenIdle).length,
      react,
      walletConnect: lateBytes(ours, { loaded, module: '/walletconnect/src/createDapp.ts' }),
      signIn: isLoaded(ours, asks) ? jsBytes(ours, signIn) : Number.NaN,
      beforeOpenAll: jsBytes(ours, allAtStart) - react,
      beforeOpenOwn: jsBytes(ours, ownAtStart) - react,
      missingWatchers: watchers.filter((module) =>
        [all, own].some(({ loaded }) => !isLoaded(ours, { loaded, module })),
      ),
      solana: rulesBytes(ours, beforeRules, 'solana'),
      polkadot: rulesBytes(ours, beforeRules, 'polkadot'),
      bitcoin: rulesBytes(ours, beforeRules, 'bip122'),
      lazyViews: lazy
        .flatMap((chunk) => /views\/\w+\/(\w+)\.tsx$/.exec(chunk.facadeModuleId ?? '')?.[1] ?? [])
        .sort(),
      otherNamespaces: ours.chunks
        .filter(({ fileName }) => loaded.has(`/${fileName}`))
        .flatMap(({ moduleIds }) => moduleIds.filter(isOfOtherNamespace)),
      accountLoaded: isLoaded(ours, { ...account, module: '/views/account/Account.tsx' }),
      lateAreas: ours.chunks
        .filter(({ fileName }) => isLoadedByAccount(`/${fileName}`))
        .flatMap(({ moduleIds }) => moduleIds.filter(isOfLateArea)),
      chartLoaded: ours.chunks.some(
        (chunk) =>
          isLoadedByAccount(`/${chunk.fileName}`) &&
          chunk.moduleIds.some((id) => id.includes('/uplot/')),
      ),
      chart: ours.chunks.reduce(
        (sum, { fileName, moduleIds }) =>
          sum +
          (moduleIds.some((id) => id.includes('/uplot/'))
            ? (ours.files.get(`/${fileName}`)?.gzip.length ?? 0)
            : 0),
        0,
      ),
      viemLoaded: ours.chunks.some(
        (chunk) =>
          loaded.has(`/${chunk.fileName}`) && chunk.moduleIds.some((id) => id.includes('/viem/')),
      ),
      queriesLoaded: isLoaded(ours, { loaded, module: '/react/src/app/queries/queries.ts' }),
    }
  } finally {
    await browser.close()
    await server.stop()
  }
}

/**
 * Measures the page that adds connectors, until its list of wallets is shown, before a wallet is
 * chosen.
 */
async function weighConnectors() {
  const built = await buildPage('connectors')
  const server = await servePage(built, 'connectors')
  const browser = await launch()
  try {
    const { page, loaded } = await openPage(browser, { url: server.url, saveData: true })
    const beforeOpen = jsBytes(built, loaded)
    await openList(page)
    await page.getByRole('dialog').getByText('Own Wallet').waitFor()
    const chunks = addedConnectors.map((module) =>
      built.chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module))),
    )
    return {
      beforeOpen,
      late: addedConnectors.map((module) => lateBytes(built, { loaded, module })),
      files: new Set(chunks.map((chunk) => chunk?.fileName)).size,
    }
  } finally {
    await browser.close()
    await server.stop()
  }
}

const weight = await weigh()
const withConnectors = await weighConnectors()
const connectorBytes = withConnectors.beforeOpen - weight.react - weight.beforeOpen
const { client } = await buildClient("export { createDapp } from '@latchkey/walletconnect'")
const frame = await weighFrame()
const rows: Row[] = [
  [
    'before the modal opens',
    weight.beforeOpen <= beforeOpenLimitBytes,
    `${kB(weight.beforeOpen)} of ${kB(beforeOpenLimitBytes)}, beyond React's ${kB(weight.react)}`,
  ],
  [
    'the same with networks of all four namespaces',
    weight.beforeOpenAll <= beforeOpenLimitBytes,
    `${kB(weight.beforeOpenAll)} of ${kB(beforeOpenLimitBytes)}`,
  ],
  [
    'the same with an app that the page creates',
    weight.beforeOpenOwn <= beforeOpenLimitBytes,
    `${kB(weight.beforeOpenOwn)} of ${kB(beforeOpenLimitBytes)}`,
  ],
  [
    'the wallets of all four are searched when it opens',
    weight.missingWatchers.length === 0,
    weight.missingWatchers.join(' ') || 'searched',
  ],
  [
    'files before the modal opens',
    weight.startFiles <= startFilesLimit,
    `${weight.startFiles} of ${startFilesLimit}`,
  ],
  [
    'ahead when the page is idle',
    weight.idle > 0 && weight.idle <= idleLimitBytes,
    `${kB(weight.idle)} of ${kB(idleLimitBytes)}`,
  ],
  [
    'more until Connect stands',
    weight.connect <= connectLimitBytes,
    `${kB(weight.connect)} of ${kB(connectLimitBytes)}, what came when idle included`,
  ],
  [
    'code requests after the click',
    weight.clickFiles <= clickFilesLimit,
    `${weight.clickFiles} of ${clickFilesLimit}`,
  ],
  [
    'WalletConnect client by itself',
    client.gzip <= walletConnectLimitBytes.client,
    `${kB(client.gzip)} of ${kB(walletConnectLimitBytes.client)}`,
  ],
  [
    'more when WalletConnect is taken',
    weight.walletConnect <= walletConnectLimitBytes.withConnector,
    `${kB(weight.walletConnect)} of ${kB(walletConnectLimitBytes.withConnector)}, connector included`,
  ],
  [
    'signing in, where it is configured',
    weight.signIn > 0 && weight.signIn <= signInLimitBytes,
    `${kB(weight.signIn)} of ${kB(signInLimitBytes)}`,
  ],
  [
    'more with four connectors of the app, before the modal opens',
    connectorBytes > 0 && connectorBytes <= connectorsLimitBytes,
    `${kB(connectorBytes)} of ${kB(connectorsLimitBytes)}`,
  ],
  [
    'Ledger, Coinbase Wallet, Safe and a provider of the app, each in a file of its own until it is chosen',
    withConnectors.late.every((bytes) => bytes > 0) &&
      withConnectors.files === addedConnectors.length,
    withConnectors.late.map(kB).join(', '),
  ],
  [
    "Solana's rules, if a Solana network is configured",
    weight.solana > 0 && weight.solana <= rulesLimitBytes,
    `${kB(weight.solana)} of ${kB(rulesLimitBytes)}`,
  ],
  [
    "Polkadot's rules, if a Polkadot network is configured",
    weight.polkadot > 0 && weight.polkadot <= rulesLimitBytes,
    `${kB(weight.polkadot)} of ${kB(rulesLimitBytes)}`,
  ],
  [
    "Bitcoin's rules, if a Bitcoin network is configured",
    weight.bitcoin > 0 && weight.bitcoin <= bitcoinRulesLimitBytes,
    `${kB(weight.bitcoin)} of ${kB(bitcoinRulesLimitBytes)}`,
  ],
  ...frameRows(frame),
  [
    'the queries and their schemas are not loaded until then',
    !weight.queriesLoaded,
    weight.queriesLoaded ? 'loaded' : 'not loaded',
  ],
  [
    'viem is not loaded until then',
    !weight.viemLoaded,
    weight.viemLoaded ? 'loaded' : 'not loaded',
  ],
  [
    'nothing of other namespaces is loaded, before or after opening',
    weight.otherNamespaces.length === 0,
    weight.otherNamespaces.join(' ') || 'not loaded',
  ],
  [
    'the chart and its library, which load when one is shown',
    weight.accountLoaded &&
      !weight.chartLoaded &&
      weight.chart > 0 &&
      weight.chart <= chartLimitBytes,
    `${kB(weight.chart)} of ${kB(chartLimitBytes)}, ${weight.chartLoaded ? 'loaded' : 'not loaded'} before`,
  ],
  [
    'each view of swap, names, buying, tokens, allowances and activity, which the open account does not load',
    weight.accountLoaded &&
      weight.lateAreas.length === 0 &&
      lateViews.every((name) => weight.lazyViews.includes(name)),
    weight.lateAreas.join(' ') || 'not loaded',
  ],
  [
    'every other view in a chunk of its own',
    weight.lazyViews.length >= 12,
    weight.lazyViews.join(' '),
  ],
]
printRows(rows)
