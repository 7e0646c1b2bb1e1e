import type { ClientStorage } from '@latchkey/walletconnect'

const prefix = 'latchkey.wallet.wc.'

/** The client's storage in this origin. Throws the browser's error if it is full or forbidden. */
export const openStorage = (): ClientStorage => ({
  get: (key) => localStorage.getItem(prefix + key) ?? undefined,
  set: (key, value) => localStorage.setItem(prefix + key, value),
  remove: (key) => localStorage.removeItem(prefix + key),
  keys: () =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length)),
  subscribe(listener) {
    const onStorage = ({ key }: StorageEvent) => {
      if (key?.startsWith(prefix)) listener(key.slice(prefix.length))
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  },
})
