import { launch } from './launch.ts'

await launch({ mode: 'development', args: process.argv.slice(2) })
