import { type BrowserContext, chromium } from 'playwright-core'

/** Starts Chromium (`CHROMIUM`, else Debian's) so that it asks nobody on the network for anything. */
export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })

/** Lets two wallets announce themselves on every page (EIP-6963), so that each list has something to show. */
export async function announceWallets(context: BrowserContext) {
  await context.addInitScript(() => {
    for (const name of ['First Wallet', 'Second Wallet']) {
      const info = {
        uuid: crypto.randomUUID(),
        name,
        rdns: `bench.${name.split(' ')[0]?.toLowerCase()}`,
        icon: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E',
      }
      const provider = {
        request: () => Promise.reject({ code: 4001, message: 'User rejected' }),
        on() {},
        removeListener() {},
      }
      const announce = () =>
        window.dispatchEvent(
          new CustomEvent('eip6963:announceProvider', {
            detail: Object.freeze({ info, provider }),
          }),
        )
      window.addEventListener('eip6963:requestProvider', announce)
      announce()
    }
  })
}
