import { permissionContracts } from '@latchkey/wire/permissions'
import { expect, test } from 'vitest'
import { createBuilder } from './builder.ts'
import { planPermissions } from './planPermissions.ts'

test('default: the contracts of smart sessions have the addresses that wallets expect, for any deployer', () => {
  for (const deployer of [
    '0x00000000000000000000000000000000000000aa',
    '0x00000000000000000000000000000000000000bb',
  ] as const) {
    const { permissions } = planPermissions(createBuilder(deployer))
    const planned = Object.entries(permissions).map(([name, one]) => [name, one.toLowerCase()])
    expect(Object.fromEntries(planned)).toEqual(permissionContracts)
  }
})
