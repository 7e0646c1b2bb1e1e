import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { buildApp, type Solana, startChains } from '@latchkey/dev'
import { chromium } from 'playwright-core'

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}

/** A site's page that finds the wallet by EIP-6963 and records its events. */
const page = (
  wallet: string,
) => `<!doctype html><link rel="icon" href="data:,"><button id="go">Go</button>
<script type="module">
  window.events = []
  window.addEventListener('eip6963:announceProvider', ({ detail }) => {
    if (window.wallet) return
    window.info = detail.info
    window.wallet = detail.provider
    for (const name of ['connect', 'accountsChanged', 'chainChanged'])
      detail.provider.on(name, (data) => window.events.push([name, data]))
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  const register = (one) => (window.standard = one)
  window.addEventListener('wallet-standard:register-wallet', ({ detail }) => detail({ register }))
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }))
  const call = (one) => window.wallet.request(one).then((result) => ({ result }), ({ code, message }) => ({ code, message }))
  window.call = call
  document.getElementById('go').onclick = () => { window.answers = Promise.all(window.next.map(call)) }
</script>
<script type="module" src="${wallet}/announce.js"></script>`

async function serve(answer: (path: string) => Promise<{ type: string; body: string | Buffer }>) {
  const server = createServer((request, response) => {
    answer(new URL(request.url ?? '/', 'http://host').pathname).then(
      ({ type, body }) => {
        response.setHeader('content-type', type)
        response.setHeader('access-control-allow-origin', '*')
        response.end(body)
      },
      () => {
        response.statusCode = 404
        response.end()
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const close = (server: Server) =>
  new Promise<void>((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })

/**
 * The built wallet, two sites, both chains and a browser; everything on free ports. `solana` is a
 * chain that it has too.
 */
export async function startWallet({ solana }: { solana?: Solana } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-wallet-'))
  const [chains, { dist }] = await Promise.all([
    startChains(),
    buildApp({ app: 'wallet', dataDir }),
  ])
  const config = JSON.stringify({
    ...(solana && {
      solana: {
        name: 'Latchkey Solana',
        rpcUrl: solana.url,
        symbols: { [solana.addresses.token]: 'dUSD' },
      },
    }),
    chains: [
      { chainId: 31_337, name: 'Latchkey One', rpcUrl: chains.urls['eip155:31337'] },
      { chainId: 31_338, name: 'Latchkey Two', rpcUrl: chains.urls['eip155:31338'] },
    ].map((chain) => ({
      ...chain,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    })),
  })
  const wallet = await serve(async (path) => {
    if (path === '/config.json') return { type: 'application/json', body: config }
    const file = path === '/' ? '/index.html' : path
    return { type: types[extname(file)] ?? 'text/plain', body: await readFile(join(dist, file)) }
  })
  const site = async () => ({ type: 'text/html', body: page(wallet.url) })
  const [one, two] = [await serve(site), await serve(site)]
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  })
  return {
    browser,
    urls: {
      wallet: wallet.url,
      one: one.url,
      two: two.url,
      chain: new URL(chains.urls['eip155:31337']).href,
    },
    async stop() {
      await browser.close()
      await Promise.all([wallet, one, two].map(({ server }) => close(server)))
      await chains.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
