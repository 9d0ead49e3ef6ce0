import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Folder of the explorer's scripts and styles, served under `/api/doc/explorer/assets`. */
export const explorerAssets = (): string => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The explorer's own start script; a file of its own, so that the page needs no inline script. */
export const EXPLORER_SCRIPT = `window.ui = SwaggerUIBundle({ url: 'openapi.json', dom_id: '#explorer', deepLinking: true, persistAuthorization: false, validatorUrl: null });\n`;

/** The explorer draws its icons from data: images and writes style attributes. */
export const EXPLORER_POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const EXPLORER_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shell API</title>
<link rel="stylesheet" href="explorer/assets/swagger-ui.css">
<link rel="icon" href="explorer/assets/favicon-32x32.png">
</head>
<body>
<div id="explorer"></div>
<script src="explorer/assets/swagger-ui-bundle.js"></script>
<script src="explorer/start.js"></script>
</body>
</html>
`;
