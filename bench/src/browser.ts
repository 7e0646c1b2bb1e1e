import { type BrowserContext, chromium } from 'playwright-core'

/**
 * Starts Chromium (`CHROMIUM`, else Debian's) without the browser's background network requests.
 */
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

// A string, not a function: the transpiler of this file would add calls that the page does not
// have.
const wallets = `
  for (const name of ['First Wallet', 'Second Wallet']) {
    const info = {
      uuid: crypto.randomUUID(),
      name,
      rdns: 'bench.' + name.split(' ')[0].toLowerCase(),
      icon: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E',
    }
    const accounts = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
    const answers = { eth_requestAccounts: accounts, eth_accounts: accounts, eth_chainId: '0x7a69' }
    const request = async ({ method }) => {
      if (name === 'First Wallet' && answers[method]) return answers[method]
      throw { code: 4001, message: 'User rejected' }
    }
    const provider = { request, on() {}, removeListener() {} }
    const detail = Object.freeze({ info, provider })
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  }`

/**
 * Makes two wallets announce themselves on every page (EIP-6963), so that each list has entries.
 * The first wallet connects.
 */
export const announceWallets = (context: BrowserContext) => context.addInitScript(wallets)
