import type { Page } from '@playwright/test'

/**
 * Makes a wallet announce itself on a page (EIP-6963). `request` is the body of a function
 * `(method, params, wallet)`; `wallet.emit(event, value)` emits an event to the page, and
 * `window.testWallet` is the same object.
 */
export const announce = (
  page: Page,
  parameters: { name: string; icon?: string; request: string },
) =>
  page.addInitScript(`{
    const listeners = new Map()
    const wallet = window.testWallet = {
      emit: (event, value) => [...(listeners.get(event) ?? [])].forEach((listener) => listener(value)),
    }
    const answer = async (method, params, wallet) => { ${parameters.request} }
    const provider = {
      request: ({ method, params }) => answer(method, params, wallet),
      on: (event, listener) => listeners.set(event, [...(listeners.get(event) ?? []), listener]),
      removeListener: (event, listener) => listeners.set(event, (listeners.get(event) ?? []).filter((one) => one !== listener)),
    }
    const info = {
      uuid: crypto.randomUUID(),
      rdns: 'test.hostile',
      name: ${JSON.stringify(parameters.name)},
      icon: ${JSON.stringify(parameters.icon ?? 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E')},
    }
    const detail = Object.freeze({ info, provider })
    const speak = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    window.addEventListener('eip6963:requestProvider', speak)
    speak()
  }`)
