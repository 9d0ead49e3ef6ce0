jest.setTimeout(240_000); // a browser on a slow machine
