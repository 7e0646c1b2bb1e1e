import { describe, expect, test } from 'vitest'
import { createT } from './createT.ts'
import { en } from './en.ts'
import { enConnecting } from './enConnecting.ts'

describe('createT', () => {
  test('default', () => {
    const t = createT<typeof en & typeof enConnecting>([en, enConnecting], {
      locale: 'en',
      messages: {},
    })
    expect(t('connect.title')).toBe('Connect wallet')
    expect(t('remote.open', { name: '{name} $& <b>' })).toBe('Open {name} $& <b>')
    expect(t('connect.allWalletsCount', { count: 1 })).toBe('1 wallet')
    expect(t('connect.allWalletsCount', { count: 1234 })).toBe('1,234 wallets')
  })

  test('param: messages win, what they lack stays English', () => {
    const t = createT<typeof en>([en], {
      locale: 'de',
      messages: { 'connect.title': 'Wallet verbinden' },
    })
    expect(t('connect.title')).toBe('Wallet verbinden')
    expect(t('action.cancel')).toBe('Cancel')
  })

  test('param: locale chooses the plural and writes the number', () => {
    const messages = {
      'connect.allWalletsCount': {
        one: '{count} portfel',
        few: '{count} portfele',
        many: '{count} portfeli',
        other: '{count} portfela',
      },
    }
    const t = createT<typeof en>([en], { locale: 'pl', messages })
    const texts = [1, 3, 5, 12345].map((count) => t('connect.allWalletsCount', { count }))
    expect(texts).toEqual(['1 portfel', '3 portfele', '5 portfeli', '12\u00a0345 portfeli'])
  })
})
