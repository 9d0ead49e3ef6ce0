jest.setTimeout(600_000); // a browser on a slow machine
