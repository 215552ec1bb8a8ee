import type { ServiceCommand } from './command.ts';

/** `service mcp` */
export function mcpCommand(program: ServiceCommand): void {
  program
    .command('mcp')
    .description(
      'browsers as the tools of an agent, over stdin and stdout (MCP): SERVICE_API_KEY, SERVICE_BASE_URL',
    )
    .action(async () => {
      const { serveProcess } = await import('../../mcp/stdio.ts');
      await serveProcess(process.env);
      // Connections that are kept open keep the process, which has nobody to answer any more.
      process.exit();
    });
}
