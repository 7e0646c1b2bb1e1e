import { launch } from './launch.ts'

await launch({ mode: 'production', args: process.argv.slice(2) })
